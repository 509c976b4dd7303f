// Computes the tables of docs/scale.md from the figures in bench/results. `--write` writes them there; without
// it, they are printed.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is assumed of users and machines, and not measured. Each line is a row of the page. */
const inputs = {
  queriesPerMinute: [2, 'queries a minute of each user, of the kinds in the mixed load'],
  socketShare: [0.2, 'share of users with an open WebSocket or event stream'],
  headShare: [0.1, 'share of users who follow the head of a chain'],
  watchShare: [0.02, 'share of users who wait for a transfer'],
  watchersPerTransfer: [1.2, 'users who wait for the same transfer'],
  secondsPerTransfer: [62.76, 'seconds that a transfer lasts: the mean of a simulation'],
  pollsPerTransfer: [13_560 / 700, 'polls of such a transfer by a fleet that changes'],
  chains: [30, 'chains whose heads are followed'],
  secondsPerBlock: [2, 'seconds from one block of a chain to the next'],
  coreShare: [0.6, 'share of its core that a gateway uses at most, so that it can take more'],
  socketsPerGateway: [7_500, 'sockets of a gateway at most: the target of an autoscaler'],
  redisShare: [0.5, 'share of its core that a Redis uses at most'],
}
const userCounts = [1_000, 100_000, 10_000_000]

const root = fileURLToPath(new URL('..', import.meta.url))
const figuresOf = (name) => JSON.parse(readFileSync(`${root}bench/results/${name}.json`, 'utf8'))
const given = Object.fromEntries(Object.entries(inputs).map(([name, [value]]) => [name, value]))

const [load, storm, fleetRuns] = ['load', 'storm', 'fleet'].map(figuresOf)
const { hold } = storm
const { alone, fleet } = fleetRuns

/** What so many users need. */
function needOf(users) {
  const queries = (users * given.queriesPerMinute) / 60
  const sockets = users * given.socketShare
  const headEvents = (users * given.headShare) / given.secondsPerBlock
  const watches = (users * given.watchShare) / given.secondsPerTransfer
  const transfers = (users * given.watchShare) / given.watchersPerTransfer
  const polls = (transfers / given.secondsPerTransfer) * given.pollsPerTransfer
  const headPolls = Math.min(given.chains, users * given.headShare) * fleet.headPollsPerSecond
  const micros = {
    queries: queries * load.mixed.cpuMicros,
    heads: headEvents * fleet.cpuMicrosPerHeadEvent,
    watches: watches * fleet.cpuMicrosPerWatch,
  }
  const cores = Object.values(micros).reduce((a, b) => a + b) / 1e6
  const byLoad = Math.max(cores / given.coreShare, sockets / given.socketsPerGateway)
  // One more, so that one can be gone.
  const gateways = Math.ceil(byLoad) + 1
  // Every gateway reads each new head. Those of the measured fleet did so too.
  const headReads = (headPolls * gateways) / fleet.gateways
  const redis = (name) => polls * fleet.perPoll[name] + headReads * fleet.perHeadPoll[name]
  return {
    users,
    ...{ queries, sockets, transfers, headEvents, cores, gateways },
    resident: hold.idleRssBytes + (sockets / gateways) * hold.rssBytesEach,
    queryRequests: queries * load.mixed.calls,
    ...{ polls, headPolls },
    redisCommands: redis('redisCommands'),
    redisBytes: redis('redisBytes'),
    redises: Math.max(1, Math.ceil(redis('redisCpuMicros') / 1e6 / given.redisShare)),
  }
}

const number = (value) => {
  if (value === 0) return '0'
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  const rounded = value >= 1_000 ? Number(value.toPrecision(3)) : Number(value.toFixed(digits))
  return rounded.toLocaleString('en-US')
}
const table = (head, rows) => {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const measured = () => {
  const kinds = Object.entries(load).map(([title, { cpuMicros, calls, date, node }]) => [
    `CPU of a request, ${title}`,
    `${number(cpuMicros)} µs, ${number(calls)} upstream requests`,
    `npm run bench, ${date}, Node ${node}`,
  ])
  const of = (name, value, run, { date, node }) => [name, value, `${run}, ${date}, Node ${node}`]
  const fleetRow = (name, value) => of(name, value, 'npm run fleet', fleet)
  return table(
    ['figure', '', 'from'],
    [
      ...kinds,
      of(
        'memory of a socket with a subscription',
        `${number(hold.rssBytesEach)} bytes resident, ${number(hold.heapBytesEach)} of heap`,
        'npm run storm -- --hold',
        hold,
      ),
      fleetRow(
        'CPU of watching a transfer to its end, including its handshake',
        `${number(fleet.cpuMicrosPerWatch)} µs for ${number(fleet.eventsPerWatch)} events`,
      ),
      fleetRow('CPU of an event of a head', `${number(fleet.cpuMicrosPerHeadEvent)} µs`),
      fleetRow(
        'polls of a transfer of ten seconds',
        `${number(fleet.pollsPerTransfer)} by two gateways with Redis, ${number(alone.pollsPerTransfer)} by one without`,
      ),
      fleetRow(
        'polls of a head',
        `${number(fleet.headPollsPerSecond)} a second by two gateways, ${number(alone.headPollsPerSecond)} by one`,
      ),
      fleetRow(
        'Redis, for each poll of a transfer',
        `${number(fleet.perPoll.redisCommands)} commands, ${number(fleet.perPoll.redisBytes)} bytes, ${number(fleet.perPoll.redisCpuMicros)} µs of CPU`,
      ),
      fleetRow(
        'Redis, for each poll of a head',
        `${number(fleet.perHeadPoll.redisCommands)} commands, ${number(fleet.perHeadPoll.redisBytes)} bytes, ${number(fleet.perHeadPoll.redisCpuMicros)} µs of CPU`,
      ),
    ],
  )
}

const needs = () => {
  const all = userCounts.map(needOf)
  const row = (name, of) => [name, ...all.map((need) => number(of(need)))]
  return table(
    ['concurrent users', ...userCounts.map((users) => users.toLocaleString('en-US'))],
    [
      row('queries a second', ({ queries }) => queries),
      row('open sockets', ({ sockets }) => sockets),
      row('watched transfers', ({ transfers }) => transfers),
      row('events of heads a second', ({ headEvents }) => headEvents),
      row('busy cores of gateways', ({ cores }) => cores),
      row('**gateways**, one core each', ({ gateways }) => gateways),
      row('MiB resident, each', ({ resident }) => resident / 2 ** 20),
      row('upstream requests of queries a second', ({ queryRequests }) => queryRequests),
      row('polls of transfers a second, to the router', ({ polls }) => polls),
      row('polls of heads a second, to all indexers', ({ headPolls }) => headPolls),
      row('Redis commands a second', ({ redisCommands }) => redisCommands),
      row('Redis MB a second', ({ redisBytes }) => redisBytes / 1e6),
      row('**Redis servers**', ({ redises }) => redises),
    ],
  )
}

const assumed = () =>
  table(
    ['input', '', ''],
    Object.entries(inputs).map(([name, [value, about]]) => [`\`${name}\``, number(value), about]),
  )

const parts = { measured, inputs: assumed, needs }

const page = `${root}docs/scale.md`
let text = readFileSync(page, 'utf8')
for (const [name, make] of Object.entries(parts)) {
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/scale.md has no place for ${name}`)
  text = `${text.slice(0, from + begin.length)}\n${make()}\n${text.slice(to)}`
}
if (process.argv.includes('--write')) writeFileSync(page, text)
else process.stdout.write(text)
