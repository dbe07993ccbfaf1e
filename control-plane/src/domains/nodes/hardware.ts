import { HardwareReport } from '@lodge/shared/hardware.ts'

/** Parses an agent's report of its machine; undefined if there is none or it is invalid. */
export function readHardware(text: string | undefined): HardwareReport | undefined {
  if (!text) return undefined
  try {
    // PostgreSQL cannot store NUL.
    const parsed = HardwareReport.safeParse(JSON.parse(text.replaceAll('\\u0000', '')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
