/** Bytes of one MiB; every `…Mb` field of the API means MiB. */
export const MIB = 1024 * 1024

/** Units of sizes in MiB, the largest first. */
export const MIB_UNITS = [
  [1_048_576, 'TiB'],
  [1024, 'GiB'],
  [1, 'MiB'],
] as const satisfies readonly (readonly [factor: number, name: string])[]

/**
 * Binary units with at most one decimal, e.g. `1.5 GiB`.
 * @param write how a number is written, in the reader's language
 */
export function formatBytes(bytes: number, write: (amount: number) => string = String): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
  let value = bytes
  let unit = 0
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const rounded = unit === 0 ? value : Math.round(value * 10) / 10
  return `${write(rounded)} ${units[unit]}`
}

export const formatMib = (mib: number): string => formatBytes(mib * MIB)

/** A measured or allowed amount of CPU, in percent of one core: `150%`. */
export const formatCpu = (percent: number): string => `${Math.round(percent)}%`
