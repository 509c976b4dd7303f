/** A plot of at most 200 points. Its label says what a reader cannot see. */
export function Plot({
  values,
  label,
  width = 160,
  height = 28,
}: {
  values: readonly number[]
  label: string
  width?: number
  height?: number
}) {
  const shown = values.slice(-200)
  if (shown.length < 2) return null
  // Room above the highest point: a steady value is a line, and no edge.
  const most = 1.5 * Math.max(...shown, 1e-9)
  const step = width / (shown.length - 1)
  const y = (value: number) => height - 2 - (value / most) * (height - 5)
  const points = shown.map((value, index) => `${(index * step).toFixed(1)},${y(value).toFixed(1)}`)
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path d={`M0,${height} L${points.join(' L')} L${width},${height} Z`} class="area" />
      <path d={`M${points.join(' L')}`} class="line" />
      <path d={`M${width},${y(shown.at(-1) ?? 0)} h0`} class="newest" />
    </svg>
  )
}
