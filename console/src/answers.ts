import type { Answers as PublicAnswers } from '../../clients/typescript/src/answers.ts'
import type { Answers as ConsoleAnswers } from './api-types.ts'

/** Every operation the console calls, such as `GET /sms/{id}`, with what the service answers. */
export type Answers = PublicAnswers & ConsoleAnswers

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What the service answers to this method on this path. */
export type Answer<M extends Method, Path extends string> = BySpelling[Operation<M, Path> & keyof BySpelling]

/** The path, if the service has such an operation; else a sentence that says which one it lacks. */
export type Known<M extends Method, Path extends string> =
  Operation<M, Path> extends keyof BySpelling ? Path : `There is no operation ${Operation<M, Path>}`

/** What the lists in an answer are called, and what is in them. */
export type Plural<Path extends string> = keyof Lists<Answer<'GET', Path>> & string
export type Entry<Path extends string, Name extends Plural<Path>> = Lists<Answer<'GET', Path>>[Name]

/** The beginning of a path, for whatever is read from there: `/console/api`, or `/console/api/messages`. */
export type Beginning = Exclude<Beginnings<PathOf<keyof Answers>>, ''>

/** Parameters have no name here: `/sms/{id}` of the table and the template `/sms/${id}` are both `/sms/{}`. */
type BySpelling = { [Name in keyof Answers as Spelled<Name>]: Answers[Name] }

type Operation<M extends Method, Path extends string> = Path extends string
  ? `${M} ${Spelled<WithoutQuery<Path>>}`
  : never
type WithoutQuery<Path extends string> = Path extends `${infer Bare}?${string}` ? Bare : Path
type Spelled<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? `${Segment<Head>}/${Spelled<Rest>}`
  : Segment<Path>
type Segment<Text extends string> = string extends Text ? '{}' : Text extends `{${string}}` ? '{}' : Text

type Lists<Body> = { [Name in keyof Body as Body[Name] extends readonly unknown[] ? Name : never]: EntryOf<Body[Name]> }
type EntryOf<List> = List extends readonly (infer One)[] ? One : never

type PathOf<Name> = Name extends `${Method} ${infer Path}` ? Path : never
type Beginnings<Path extends string, Before extends string = ''> = Path extends `${infer Head}/${infer Rest}`
  ? `${Before}${Head}` | Beginnings<Rest, `${Before}${Head}/`>
  : `${Before}${Path}`
