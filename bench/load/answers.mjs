// The answers of the contestants, compared with each other.
import { post } from './measure.mjs'

// Portolan gives heights and counts as numbers. The others pass on the text of the upstream.
const asText = (_key, value) => (typeof value === 'number' ? String(value) : value)

/** The answers of a contestant to some bodies, in one spelling. */
export async function readAnswers(url, bodies) {
  const answers = []
  for (const body of bodies) {
    const answer = await post(url, body)
    answers.push(JSON.stringify(JSON.parse(answer), asText))
  }
  return answers
}

/** Throws if the answers of two contestants differ, or hold errors: then a comparison means nothing. */
export function checkEqual(title, answersOf) {
  const [[first, expected], ...others] = Object.entries(answersOf)
  for (const [name, answers] of [[first, expected], ...others]) {
    answers.forEach((answer, i) => {
      if (answer.includes('"errors"') || answer !== expected[i]) {
        throw new Error(
          `${title}: the answers differ or fail.\n${first}: ${expected[i].slice(0, 800)}\n${name}: ${answer.slice(0, 800)}`,
        )
      }
    })
  }
}
