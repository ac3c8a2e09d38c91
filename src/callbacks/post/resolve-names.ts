import type { LookupAddress } from 'node:dns'
import type { Resolve } from './address-guard.ts'

/**
 * Asks for the addresses of host names, the organisations in turn. A question to the system holds one of the four threads
 * that a process has for all such work, for as long as a name server is silent: without a line, four names of one
 * organisation would stop the callbacks of all, and logins and files with them.
 */
export type NameLine = {
  resolve(organisation_id: string, hostname: string): Promise<LookupAddress[]>
}

/** One thread is left for everything else. */
const AT_ONCE = 3
const AT_ONCE_PER_ORGANISATION = 1

type Question = {
  hostname: string
  asked_ms: number
  answer: Promise<LookupAddress[]>
  settle: (answer: Promise<LookupAddress[]>) => void
}

/** An organisation's names by what is asked about them; the first ones are being asked. */
type Line = { under_way: number; questions: Map<string, Question>; waiting: Set<Question> }

/** Nobody wants an answer that comes later than `patience_ms`: such a question is not asked any more. */
export function makeNameLine(resolve: Resolve, patience_ms: number): NameLine {
  const lines = new Map<string, Line>()
  let under_way = 0

  function serve(): void {
    for (const [organisation_id, line] of lines) {
      if (under_way >= AT_ONCE) return
      const question = line.under_way < AT_ONCE_PER_ORGANISATION ? nextOf(line) : undefined
      if (question) void ask(organisation_id, line, question)
      else if (line.questions.size === 0) lines.delete(organisation_id)
    }
  }

  function nextOf(line: Line): Question | undefined {
    for (const question of line.waiting) {
      line.waiting.delete(question)
      if (performance.now() - question.asked_ms < patience_ms) return question
      line.questions.delete(question.hostname)
      question.settle(Promise.reject(new Error('The line of names to look up was too long.')))
    }
    return undefined
  }

  async function ask(organisation_id: string, line: Line, question: Question): Promise<void> {
    under_way += 1
    line.under_way += 1
    // The last in turn from now on.
    lines.delete(organisation_id)
    lines.set(organisation_id, line)
    const answer = resolve(question.hostname)
    question.settle(answer)
    await answer.catch(() => {})
    under_way -= 1
    line.under_way -= 1
    line.questions.delete(question.hostname)
    serve()
  }

  return {
    resolve(organisation_id, hostname) {
      const line = lines.get(organisation_id) ?? { under_way: 0, questions: new Map(), waiting: new Set() }
      lines.set(organisation_id, line)
      const known = line.questions.get(hostname)
      if (known) return known.answer
      let settle: Question['settle'] = () => {}
      const answer = new Promise<LookupAddress[]>((fulfil) => {
        settle = fulfil
      })
      answer.catch(() => {}) // whoever wanted it may have gone
      const question = { hostname, asked_ms: performance.now(), answer, settle }
      line.questions.set(hostname, question)
      line.waiting.add(question)
      serve()
      return answer
    },
  }
}
