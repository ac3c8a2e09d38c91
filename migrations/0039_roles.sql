-- What somebody may do in their organisation; `src/users/roles.ts` says what each may. Until now everybody might do
-- everything, so everybody there is stays an owner. An operator of the installation needs no role.
alter table users add role text not null default 'owner'
  check (role in ('owner', 'admin', 'developer', 'marketer', 'finance', 'viewer'));
