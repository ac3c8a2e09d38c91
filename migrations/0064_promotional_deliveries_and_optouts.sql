-- Whether a delivery goes by the rules of promotional messages. Only deliveries that wait in this table, for their time or
-- for another try, have it; null is transactional.
alter table deliveries add column promotional boolean;

-- People also opt out at their network or in WhatsApp, and the carrier reports it.
alter table optouts drop constraint optouts_source_check;
alter table optouts add constraint optouts_source_check check (source in ('text', 'api', 'carrier')) not valid;
