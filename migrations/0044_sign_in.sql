-- People who sign in by an OpenID Connect provider are known by what it calls them; see docs/sign-in.md.
alter table users
  add issuer text check (length(issuer) between 1 and 500),
  add subject text check (length(subject) between 1 and 255),
  -- The provider's name in the configuration file when they last came in, for people to read.
  add provider text check (length(provider) between 1 and 40),
  -- A rule of the configuration file gave them their role: it goes when the rule does not fit any more.
  add role_by_provider boolean not null default false,
  add check ((issuer is null) = (subject is null) and (issuer is null) = (provider is null)),
  add check (issuer is not null or not role_by_provider),
  -- Whoever the provider has put out must not come in by a password.
  add check (issuer is null or password_hash is null),
  add unique (issuer, subject);

-- Made at the command line: it lets an operator in for an hour, without a password.
alter table user_links add enters boolean not null default false;

-- The provider has said who it is; the code of the second factor is still missing.
alter table user_sessions add waits_for_code boolean not null default false;

-- Sessions that stand as long as the provider says so. The tokens to ask it with are sealed.
create table provider_sessions (
  session_id uuid primary key references user_sessions (id) on delete cascade,
  issuer text not null,
  subject text not null,
  -- What the provider calls its own session, for its word that it has ended.
  sid text,
  tokens bytea not null,
  due_datetime timestamptz not null,
  -- Without the provider's word the session stands no longer than this.
  stands_until timestamptz not null
);
create index provider_sessions_by_due on provider_sessions (issuer, due_datetime);
create index provider_sessions_by_subject on provider_sessions (issuer, subject);
