import { availableParallelism } from 'node:os'
import type { BackupStore } from '@lodge/driver/backup-store.ts'
import type { Hello } from '@lodge/proto/fleet.ts'
import { abilitiesOf } from '../abilities.ts'
import type { Clock } from '../clock.ts'
import type { NodeTransfers } from '../direct/node-transfers.ts'
import type { driversByKind } from '../drivers.ts'
import type { Journal } from '../journal/journal.ts'
import type { Leases } from '../lease/leases.ts'
import { NodeSampler } from '../metrics/node-sample.ts'
import type { Monitors } from '../monitors.ts'
import type { Program } from '../update/program.ts'
import { AGENT_VERSION, PROTOCOL_MINOR } from '../version.ts'

/** What the agent says about itself and its node when it connects. */
export async function helloOf(given: {
  dataFolder: string
  nodeId: string
  program: Program | undefined
  bootId: string
  drivers: ReturnType<typeof driversByKind>
  backupStore: BackupStore
  monitors: Monitors
  journal: Journal
  clock: Clock
  leases: Leases
  transfers: NodeTransfers
}): Promise<Hello> {
  const { clock, journal, monitors, program } = given
  const [answers, checks, node, parts, noBackups] = await Promise.all([
    monitors.health(),
    monitors.preflight.latest(),
    new NodeSampler(given.dataFolder).sample(new Date(clock.nowMs())),
    monitors.hardware.latest(),
    given.backupStore.complaint(),
  ])
  return {
    protocolMinor: PROTOCOL_MINOR,
    agentVersion: AGENT_VERSION,
    bootId: given.bootId,
    drivers: answers,
    capabilities: abilitiesOf(given.drivers, {
      lacking: noBackups === null ? [] : ['backups'],
      replaceable: program?.replaceable ?? false,
      guarded: given.leases.hasGuard,
    }),
    preflight: checks,
    newestReport: journal.newest,
    cpuCores: availableParallelism(),
    memoryBytes: node.memoryTotalBytes,
    diskBytes: node.diskTotalBytes,
    clockUnixMs: clock.nowMs(),
    virtualization: monitors.virtualization.latest(),
    hardware: parts,
    transfers: given.transfers.latest(),
    ...journal.heard(given.nodeId),
    agentBuild: program && `${process.arch}/${program.build}`,
  }
}
