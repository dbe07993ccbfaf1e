import { z } from 'zod'

/** SHA-256 of a certificate (DER), in hexadecimal. */
export const CertificateFingerprint = z.string().regex(/^[0-9a-f]{64}$/)

/** What an agent says of itself as one end of transfers between nodes. */
export const TransferReport = z.strictObject({
  /** Where it takes connections of other nodes; null: nowhere. */
  port: z.int().min(1).max(65535).nullable(),
  /** Why the wanted port is not open. */
  why: z.string().max(300).nullable(),
  /** Of the certificate that it shows other nodes and takes no connection without. */
  fingerprint: CertificateFingerprint,
})
export type TransferReport = z.infer<typeof TransferReport>

/** Where another node expects a connection, which nobody but the addressed agent can open. */
export const DirectHost = z.strictObject({
  /** host:port */
  address: z.string().min(3).max(300),
  /** Works once. */
  ticket: z.string().min(32).max(200),
  fingerprint: CertificateFingerprint,
})
export type DirectHost = z.infer<typeof DirectHost>
