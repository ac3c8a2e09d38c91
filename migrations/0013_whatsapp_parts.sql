-- The other parts of a WhatsApp template: fallback languages, names of parameters, and the values of header, buttons and
-- cards, as the API takes them.
alter table template_whatsapp add column parts jsonb not null default '{}';
