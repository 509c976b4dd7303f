import { expect, test } from 'vitest'
import { mediaTypeFor } from '../../src/server/http/mediaType.ts'

const json = 'application/json'
const response = 'application/graphql-response+json'

test.each([
  [`${json};q=0.5, ${response}`, response],
  [`${response};q=0, ${json}`, json],
  [`${response}; q=0.000, */*; q=0.1`, json],
  [`${json};q=0.9, ${response};q=0.9`, json],
  [`text/html, ${response};q=0.2, ${json};q=0.1`, response],
  [`${json};q=0`, undefined],
])('the media type of a result for %s is %s', (accept, type) => {
  expect(mediaTypeFor(accept)).toBe(type)
})
