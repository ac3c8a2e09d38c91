-- Nearly every delivery is written twice after it was stored (sent, delivered) and nearly every callback once, most of
-- them together with their neighbours: a page must have room for a second copy of all it holds, or the row moves to
-- another page and every index learns its new place. What moved left as much dead space behind as is kept free now.
alter table callbacks set (fillfactor = 50);

do $$
declare
  part text;
begin
  for part in select inhrelid::regclass::text from pg_inherits where inhparent = 'deliveries'::regclass loop
    execute format('alter table %s set (fillfactor = 50)', part);
  end loop;
end $$;
