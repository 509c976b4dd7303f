// What hostile and broken upstreams make of a body: the right JSON with some of its parts changed.

const strange = (chance) =>
  chance.pick([
    () => null,
    () => '',
    () => -1,
    () => 1.5,
    () => Number.MAX_SAFE_INTEGER,
    () => '9'.repeat(200),
    () => '\u202E\u0000\uD800',
    () => '0x'.padEnd(5_000, 'f'),
    () => ({}),
    () => [],
    () => [null, 1, 'x', [[]]],
    () => ({ __proto__: null, constructor: 'x', toString: 1, length: 3 }),
    () => '2026-13-45T99:99:99Z',
    () => true,
    () => nested(chance.below(2_000)),
    () => Array.from({ length: chance.below(20_000) }, (_, index) => index),
    () => 'y'.repeat(chance.below(500_000)),
  ])()

function nested(depth) {
  let value = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}

/** The most bytes of a repeated list, which can be in another one: more than gateways read of a body. */
const maxBytes = 20_000_000

/** Changes some parts of a body. `share` is the chance of each part. Lists are repeated so often in a body at most. */
function spoil(value, chance, share, left = { lists: 2 }) {
  if (chance.isTrue(share)) return strange(chance)
  if (Array.isArray(value)) {
    const items = value.map((item) => spoil(item, chance, share, left))
    if (items.length > 1 && chance.isTrue(share * 4)) items.reverse()
    if (items.length > 0 && left.lists > 0 && chance.isTrue(share * 2)) {
      left.lists -= 1
      const bytes = JSON.stringify(items).length / items.length
      const length = Math.min(1 + chance.below(3_000), Math.max(1, Math.floor(maxBytes / bytes)))
      return Array.from({ length }, () => chance.pick(items))
    }
    return items
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => !chance.isTrue(share))
      .map(([key, item]) => [
        chance.isTrue(share / 4) ? chance.pick(['__proto__', '', key.toUpperCase()]) : key,
        spoil(item, chance, share, left),
      ]),
  )
}

/** Some fault of a service, or none. */
export function randomFault(chance) {
  return chance.pick([
    () => undefined,
    () => ({ kind: 'change', change: (body) => spoil(body, chance, 0.002) }),
    () => ({ kind: 'change', change: (body) => spoil(body, chance, 0.02) }),
    () => ({ kind: 'change', change: (body) => spoil(body, chance, 0.2) }),
    () => ({ kind: 'answer', json: strange(chance) }),
    () => ({
      kind: 'garbage',
      body: chance.pick(['{', '[[[[', '{"a":1e400}', '\u0000', '"', 'null']),
    }),
    () => ({ kind: 'status', status: chance.pick([204, 302, 400, 404, 429, 500, 503]), body: 'x' }),
    () => ({ kind: 'reset' }),
  ])()
}
