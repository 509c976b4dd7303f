import type { Guidance } from '../../router/bridges/guidance.ts'

/** What is said of a transfer, and the facts that the text needs. */
export interface GuidanceShape {
  readonly guidance: Guidance
  readonly from: string | null
  readonly to: string | null
  /** The chain that the funds return to. Null if that is not known. */
  readonly returnsTo: string | null
  /** The hash of the first transaction of the hop. */
  readonly hash: string | null
  /** Seconds since the first transaction of the hop. Null if its time is not known. */
  readonly elapsed: number | null
  /** The amount that stands for `{coins}`, with a colon before it. */
  readonly coins?: string
  /** The moment that stands for `{time}`, in milliseconds since 1970. */
  readonly time?: number | null
  /** What is known of earlier movements of the same funds. It comes before the sentence. */
  readonly before?: EarlierMovement | undefined
  /** What the router says, where the records of the chains prove otherwise. */
  readonly contradiction?: string | null
}

/** A sentence on an earlier movement, with its two chains, and on those before it. */
export interface EarlierMovement {
  readonly text: string
  readonly from: string | null
  readonly to: string | null
  readonly more: EarlierMovement | undefined
}

/** Whole seconds from a time, in milliseconds since 1970, until now. Null without a time. */
export const secondsSince = (timestamp: string | null, now: number): number | null =>
  timestamp === null ? null : Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1_000))

/** Seconds that the state usually takes from the first transaction of its hop on. Null if that is not known. */
export function usualSeconds({ guidance, from }: GuidanceShape): number | null {
  const { usualSeconds } = guidance
  if (typeof usualSeconds !== 'object') return usualSeconds ?? null
  return from !== null && Object.hasOwn(usualSeconds, from) ? (usualSeconds[from] ?? null) : null
}

/** Seconds from the first transaction of the hop on after which it is late. Null if that is not known. */
function lateAfterSeconds(shape: GuidanceShape): number | null {
  const usual = usualSeconds(shape)
  return shape.guidance.lateAfterSeconds ?? (usual === null ? null : 2 * usual)
}

/** Whether it takes much longer than usual. Null if that is not known. */
export function isLate(shape: GuidanceShape): boolean | null {
  const limit = lateAfterSeconds(shape)
  return limit === null || shape.elapsed === null ? null : shape.elapsed > limit
}

/** Seconds until it is late. Null if it is, if it never will be, or if that is not known. */
export function secondsUntilLate(shape: GuidanceShape): number | null {
  const limit = lateAfterSeconds(shape)
  return limit === null || shape.elapsed === null || shape.elapsed > limit ? null : limit - shape.elapsed + 1
}
