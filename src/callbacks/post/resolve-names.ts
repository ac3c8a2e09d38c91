import type { LookupAddress } from 'node:dns'
import type { Resolve } from './address-guard.ts'

/**
 * Asks for the addresses of host names, the organisations in turn. A question to the system holds one of the four threads
 * that a process has for all such work, for as long as a name server is silent: without a queue, four names of one
 * organisation would stop the callbacks of all, and logins and files with them.
 */
export type NameResolver = {
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
type Queue = { under_way: number; questions: Map<string, Question>; waiting: Set<Question> }

/** Nobody wants an answer that comes later than `timeout_ms`: such a question is not asked any more. */
export function makeNameResolver(resolve: Resolve, timeout_ms: number): NameResolver {
  const queues = new Map<string, Queue>()
  let under_way = 0

  function serve(): void {
    for (const [organisation_id, queue] of queues) {
      if (under_way >= AT_ONCE) return
      const question = queue.under_way < AT_ONCE_PER_ORGANISATION ? nextOf(queue) : undefined
      if (question) void ask(organisation_id, queue, question)
      else if (queue.questions.size === 0) queues.delete(organisation_id)
    }
  }

  function nextOf(queue: Queue): Question | undefined {
    for (const question of queue.waiting) {
      queue.waiting.delete(question)
      if (performance.now() - question.asked_ms < timeout_ms) return question
      queue.questions.delete(question.hostname)
      question.settle(Promise.reject(new Error('The queue of names to look up was too long.')))
    }
    return undefined
  }

  async function ask(organisation_id: string, queue: Queue, question: Question): Promise<void> {
    under_way += 1
    queue.under_way += 1
    // The last in turn from now on.
    queues.delete(organisation_id)
    queues.set(organisation_id, queue)
    const answer = resolve(question.hostname)
    question.settle(answer)
    await answer.catch(() => {})
    under_way -= 1
    queue.under_way -= 1
    queue.questions.delete(question.hostname)
    serve()
  }

  return {
    resolve(organisation_id, hostname) {
      const queue = queues.get(organisation_id) ?? { under_way: 0, questions: new Map(), waiting: new Set() }
      queues.set(organisation_id, queue)
      const known = queue.questions.get(hostname)
      if (known) return known.answer
      let settle: Question['settle'] = () => {}
      const answer = new Promise<LookupAddress[]>((fulfil) => {
        settle = fulfil
      })
      answer.catch(() => {}) // whoever wanted it may have gone
      const question = { hostname, asked_ms: performance.now(), answer, settle }
      queue.questions.set(hostname, question)
      queue.waiting.add(question)
      serve()
      return answer
    },
  }
}
