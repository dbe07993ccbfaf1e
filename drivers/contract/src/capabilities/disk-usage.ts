/** Measures a server's disk usage on its node. */
export interface DiskUsage {
  measure(serverId: string): Promise<DiskUsageReport>
}

export interface DiskUsageReport {
  readonly disks: readonly {
    readonly id: string
    readonly sizeMb: number
    readonly usedBytes: number
  }[]
  readonly snapshotBytes: number
  readonly otherBytes: number
}
