import os from 'node:os'

/** The cumulative time of all cores, in milliseconds. */
export interface CoreTimes {
  readonly all: number
  readonly idle: number
}

export function coreTimes(): CoreTimes {
  const cores = os.cpus().map(({ times }) => times)
  const all = cores.flatMap((times) => Object.values(times))
  return { all: sum(all), idle: sum(cores.map(({ idle }) => idle)) }
}

/** The percentage of the time in which the cores were busy, with any process. */
export function busyPercent(from: CoreTimes, to: CoreTimes): number {
  const all = to.all - from.all
  return all > 0 ? Math.round(100 * (1 - (to.idle - from.idle) / all)) : 0
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
