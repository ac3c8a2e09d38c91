-- The inbox of conversations: open and closed, assigned, with internal notes.

-- An inbound text writes none of these columns: it increments `received`, and by that reopens the conversation.
alter table conversations
  -- The count of inbound texts when the conversation was closed. It is closed until another text arrives.
  add column closed_received bigint not null default 0 check (closed_received between 0 and received),
  -- The user who takes care of it; null: unassigned. Of the organisation, or of the live organisation of a test twin.
  add column assignee_id uuid,
  -- For the filters of the list.
  add column state text not null generated always as (
    case when closed_received = received then 'closed' when read < received then 'unread' else 'read' end
  ) stored,
  add column is_assigned boolean not null generated always as (assignee_id is not null) stored;
-- Every filter of the list is one or several ranges of these, each in the order of the list.
create index conversations_by_state on conversations (organisation_id, state, is_assigned, id);
create index conversations_by_assignee on conversations (organisation_id, assignee_id, state, id)
  where assignee_id is not null;

-- Notes that users leave for each other in a conversation. They are deleted with it.
create table conversation_notes (
  organisation_id uuid not null,
  id uuid not null,
  phone text not null,
  -- Null: written with an API key.
  author_id uuid,
  text text not null check (length(text) between 1 and 2000),
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, id),
  foreign key (organisation_id, phone) references conversations on delete cascade
);
create index conversation_notes_by_phone on conversation_notes (organisation_id, phone, id);
