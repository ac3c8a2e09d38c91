import { expect, test } from 'vitest'
import { makeSeats, type Seat, type Seats } from './seats.ts'

let sessions = 0

/** Somebody with a session of their own; what was let go is told. */
function sit(seats: Seats, organisation_id: string | null, who: Partial<Seat> = {}, gone: string[] = []): Seat {
  sessions += 1
  const name = `${organisation_id} ${sessions}`
  const seat = { session_id: name, user_id: name, organisation_id, end: () => void gone.push(name), ...who }
  seats.take(seat)
  return seat
}

const sizeOf = (seats: Seats, organisation_id: string | null) =>
  [...seats.all()].filter((seat) => seat.organisation_id === organisation_id).length

test.each([
  ['a session', { session_id: 's', user_id: 'u' }, 6],
  ['a person', { user_id: 'u' }, 24],
  ['an organisation', {}, 100],
])('%s has its share, and what was left can be taken again', (_, who, share) => {
  const seats = makeSeats()
  const taken = Array.from({ length: share }, () => sit(seats, 'a', who))
  expect(() => sit(seats, 'a', who)).toThrow(expect.objectContaining({ code: 'too_many_requests', retry_after_s: 10 }))
  sit(seats, 'b')
  sit(seats, null)
  seats.leave(taken[0] as Seat)
  sit(seats, 'a', who)
})

test('when all are taken, who has most makes room, until all have alike', () => {
  const seats = makeSeats(12)
  const gone: string[] = []
  for (let n = 0; n < 6; n += 1) for (const organisation_id of ['a', 'b']) sit(seats, organisation_id, {}, gone)
  for (let n = 0; n < 4; n += 1) sit(seats, 'c', {}, gone)
  expect(['a', 'b', 'c'].map((one) => sizeOf(seats, one))).toEqual([4, 4, 4])
  expect(gone).toHaveLength(4)
  expect(() => sit(seats, 'c')).toThrow('Too many pages are open.')
  sit(seats, null)
  expect(sizeOf(seats, null)).toBe(1)
  expect([...seats.all()]).toHaveLength(12)
})
