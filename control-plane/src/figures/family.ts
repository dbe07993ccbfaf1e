/** One metric with all its series. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  /** Formatted lines without line breaks, or blocks of them. */
  readonly lines: Iterable<string> | AsyncIterable<string>
}

export type Labels = Readonly<Record<string, string>>

/** One series in the exposition format. */
export function series(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return pairs.length > 0 ? `${name}{${pairs.join(',')}} ${value}` : `${name} ${value}`
}

const escaped = (text: string): string =>
  /[\\"\n]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : text

/** One family of current values. */
export const gauge = (
  name: string,
  help: string,
  values: Iterable<readonly [Labels, number]>,
): Family => ({
  name,
  help,
  type: 'gauge',
  lines: map(values, ([labels, value]) => series(name, labels, value)),
})

/** Maps lazily, so that a large fleet is formatted as it is sent. */
export function* map<A, B>(items: Iterable<A>, turn: (item: A) => B): Generator<B> {
  for (const item of items) yield turn(item)
}

/** One value that only grows. */
export const counter = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'counter',
  lines: [series(name, {}, value)],
})
