import { z } from 'zod'
import type { Methods } from './method.ts'

/** What a scanner found in a file. */
const ScanVerdict = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('clean') }),
  z.object({
    verdict: z.literal('infected'),
    /** Words for people, the sender of the file included. */
    why: z.string().min(1).max(300),
  }),
])
export type ScanVerdict = z.infer<typeof ScanVerdict>

/** The method of plugins that check files. An error means that the file is asked about again later. */
export const SCANNER_METHODS = {
  'scanner.scan': {
    request: z.object({
      /** For `host.readFile`, until this call ends. */
      file: z.uuid(),
      name: z.string(),
      /** What it is by its content. */
      type: z.string(),
      sizeBytes: z.int(),
      sha256: z.string(),
    }),
    reply: ScanVerdict,
  },
} as const satisfies Methods
