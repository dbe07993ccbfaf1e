import { z } from 'zod'

/** What restic says, which is all that tells its faults apart in the versions that we support. */

export type ResticFault =
  /** No room where it writes. */
  | 'full'
  | 'wrong-key'
  | 'locked'
  /** The account may not use the folder. */
  | 'denied'
  | 'untrusted'
  | 'away'
  /** Less came than there should be: of a storage that ends connections, or of a file that is cut. */
  | 'short'
  /** The bucket does not accept the keys. */
  | 'refused'
  /** What it read is not what was written, or is gone from a repository that is there. */
  | 'damaged'

const FAULTS: readonly (readonly [ResticFault, RegExp])[] = [
  ['full', /no space left on device|disk quota exceeded/i],
  ['wrong-key', /wrong password or no key found/i],
  ['locked', /repository is already locked/i],
  ['denied', /permission denied|read-only file system|operation not permitted/i],
  ['untrusted', /x509:/i],
  [
    'away',
    /dial tcp|no such host|connection (refused|reset|closed)|i\/o timeout|TLS handshake|SlowDown|Internal ?(Server ?)?Error|Too Many Requests|Bad Gateway|Service Unavailable|Gateway Time-?out|503 |HTTP response \((4(?!0[13])|5)\d\d\)|server response unexpected/i,
  ],
  [
    'refused',
    /Access ?Denied|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket|signature|Forbidden/i,
  ],
  ['short', /unexpected EOF/i],
  // Last, since a bad connection may say such things too.
  [
    'damaged',
    /ciphertext verification failed|invalid data returned|invalid hash|hash mismatch|no matching ID found|not found in (repository|index)|<(data|index|snapshot)\/[0-9a-f]+> does not exist|specified key does not exist|open \/repository\/\S+ no such file/i,
  ],
]

/** The kind of its failure; undefined when it says nothing that we know, as of a failing disk. */
export const resticFault = (output: string): ResticFault | undefined =>
  FAULTS.find(([, pattern]) => pattern.test(output))?.[0]

/** Whether there is no repository yet; a storage that refuses or is away may well have one. */
export const saysMissing = (output: string): boolean =>
  /unable to open config file:.*(no such file|(key|bucket|<config\/>) does not exist|404 not found)/i.test(
    output,
  )

/** `ENOENT` as a number, which older versions give instead of words. */
const GONE = 2
const Unread = z.object({
  message_type: z.literal('error'),
  item: z.string().default(''),
  error: z
    .object({ Err: z.unknown().optional(), message: z.string().optional() })
    .default({ Err: undefined }),
})

/** The file that a line says could not be read, and whether it is only gone. */
export function unreadFile(line: unknown): { item: string; isGone: boolean } | undefined {
  const { data } = Unread.safeParse(line)
  if (!data) return undefined
  const { Err, message = '' } = data.error
  return { item: data.item, isGone: Err === GONE || /no such file or directory/i.test(message) }
}

/** A line of its output; undefined if it is none of JSON. */
export function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
