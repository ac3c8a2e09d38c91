type Options = { schema: { response: object } }

/** Says in the reference that success is a CSV file. */
export function withFile<O extends Options>(options: O): O {
  return withAnswer(options, {
    200: { description: 'The file.', content: { 'text/csv': { schema: { type: 'string' } } } },
  })
}

function withAnswer<O extends Options>(options: O, answer: object): O {
  return { ...options, schema: { ...options.schema, response: { ...answer, ...options.schema.response } } }
}
