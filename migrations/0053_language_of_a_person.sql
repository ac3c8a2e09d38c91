-- What somebody wants the console to speak; null: what their browser does. Which there are is the service's to say.
alter table users add language text check (language ~ '^[a-z]{2}$');
