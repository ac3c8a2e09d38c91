/** Headers of responses, each described once. */
export const HEADERS = {
  RequestId: {
    description: 'The request in our log: yours if you gave one, else one of ours.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Come back after so many seconds.', schema: { type: 'integer' } },
  IdempotentReplayed: {
    description: '`true` where this is the first answer again, given to the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
}

const COME_BACK = [429, 503]

export function answerHeaders(status: number, is_charged: boolean): Record<string, { $ref: string }> {
  return {
    'x-request-id': refTo('RequestId'),
    ...(COME_BACK.includes(status) ? { 'retry-after': refTo('RetryAfter') } : {}),
    ...(is_charged && status < 400 ? { 'idempotent-replayed': refTo('IdempotentReplayed') } : {}),
  }
}

function refTo(name: keyof typeof HEADERS): { $ref: string } {
  return { $ref: `#/components/headers/${name}` }
}
