-- An array with another element at a place: Citus cannot deparse subscripts, of elements or of slices, in a statement.
create function with_element(list anyarray, place integer, element anyelement) returns anyarray
immutable language plpgsql as $$
begin
  list[place] := element;
  return list;
end $$;
