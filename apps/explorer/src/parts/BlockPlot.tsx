import { text } from '../text.ts'
import { brief, count } from '../values/format.ts'
import { Time } from './Time.tsx'

/** A block, as far as a plot has it. */
interface BlockOfPlot {
  readonly height: number
  readonly timestamp?: string | null
  readonly transactionCount: number
}

/** Units of the picture, which is stretched to its place: bars have no outline that could be. */
const height = 40

/** The transactions of the newest blocks of a chain, as bars from the oldest to the newest block. */
export function BlockPlot({
  blocks,
  chain,
  most = 30,
}: {
  /** Newest first. */
  blocks: readonly BlockOfPlot[]
  /** The name of the chain. */
  chain: string
  most?: number
}) {
  const shown = blocks.slice(0, most).toReversed()
  const [first, last] = [shown[0], shown.at(-1)]
  if (!first || !last || shown.length < 2) return null
  const top = Math.max(1, ...shown.map(({ transactionCount }) => transactionCount))
  const mean = shown.reduce((sum, { transactionCount }) => sum + transactionCount, 0) / shown.length
  const ends = [count(first.height), count(last.height)] as const
  const size = (value: number) => (value / top) * height
  return (
    <figure class="block-plot">
      <figcaption>
        {text.perBlockPlot} · {text.average(brief(mean.toFixed(1)))}
      </figcaption>
      <div class="axis" aria-hidden="true">
        <span>{count(top)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${shown.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text.plotOf(chain, ...ends, count(top))}
      >
        {shown.map((block, index) => (
          <rect
            key={block.height}
            class={block === last ? 'newest' : undefined}
            x={index + 0.1}
            y={height - size(block.transactionCount)}
            width="0.8"
            height={size(block.transactionCount)}
          />
        ))}
        <line class="mean" x1="0" x2={shown.length} y1={height - size(mean)} y2={height - size(mean)} />
        {/* Over each bar as high as the plot, so that an empty block can be pointed at. */}
        {shown.map((block, index) => (
          <rect key={`hint${block.height}`} class="hint" x={index} width="1" height={height}>
            <title>{text.inBlock(count(block.height), block.transactionCount)}</title>
          </rect>
        ))}
      </svg>
      <div class="range" aria-hidden="true">
        {[first, last].map((block, index) => (
          <span key={index}>
            <span class="height">{ends[index]}</span>
            {block.timestamp && (
              <>
                {' '}
                · <Time value={block.timestamp} />
              </>
            )}
          </span>
        ))}
      </div>
    </figure>
  )
}
