import type { Db } from '../db/database.ts'
import type { Services } from '../services.ts'
import type { Family } from './family.ts'

/** What one domain shows to Prometheus. */
export interface Figures {
  /**
   * Reads what it has in the database, at most every five seconds; the returned function formats
   * it, once for each request.
   */
  installation?(services: Pick<Services, 'db' | 'blobs'>): Promise<() => readonly Family[]>
  /** Metrics of every single server, by id only; read while they are sent. */
  servers?(db: Db): readonly Family[]
}
