import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { splitStatements } from './split-statements.ts'

test('splits at semicolons between statements only', () => {
  const statements = [
    `create table a (b text default 'x;''y', "c;d" text)`,
    `-- one; two\nupdate a set b = e'it\\'s;' /* no; end */ where b = ';'`,
    `create function f() returns text language plpgsql as $body$\nbegin\n  return $$;$$ || ';';\nend $body$`,
    `do $$ begin perform 1; perform 2; end $$`,
  ]
  expect(splitStatements(`${statements.join(';\n\n')};\n-- the end; really\n`)).toEqual(statements)
  expect(splitStatements('  \n-- nothing;\n')).toEqual([])
})

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)

test.each(readdirSync(MIGRATIONS))('%s is split without loss', (name) => {
  const text = readFileSync(new URL(name, MIGRATIONS), 'utf8')
  const rest = splitStatements(text).join('').replaceAll(/[\s;]/g, '')
  expect(rest).not.toBe('')
  expect(text.replaceAll(/[\s;]/g, '')).toContain(rest)
})
