/** The metrics of a gateway: their text, and the type of each metric. */
export async function readMetrics(url: string) {
  const text = await (await fetch(url)).text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return { text, families: new Map(types.map(([, name = '', type = '']) => [name, type])) }
}

/** The value of one series, named with its labels. */
export function metricValue(text: string, series: string): number | undefined {
  const line = text.split('\n').find((line) => line.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
