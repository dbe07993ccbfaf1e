import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { Fixture, Program } from '@lodge/driver/suite/program.ts'
import { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { type DockerDriver, dockerDriver } from '../docker.ts'
import type { DockerDriverOptions } from '../engine/options.ts'
import { firewallTable } from '../network/firewall.ts'
import { BUSYBOX, importBusybox } from './busybox.ts'
import { startDockerd, type TestEngine, unmountBelow } from './dockerd.ts'

export interface DockerFixture extends Fixture {
  readonly driver: DockerDriver
  readonly engine: TestEngine
  readonly options: DockerDriverOptions
}

export const DOCKER_CAN: Fixture['can'] = {
  has: ['console', 'installer', 'images', 'networks', 'backups', 'files', 'relocation'],
  ports: true,
  memory: true,
  disk: true,
}

/** A private engine with a busybox image, and a driver for it. */
export async function dockerFixture(
  more: Partial<DockerDriverOptions> & { liveRestore?: boolean } = {},
): Promise<DockerFixture> {
  const { liveRestore = false, ...over } = more
  const folder = await mkdtemp(join(tmpdir(), 'lodge-docker-'))
  const engine = await startDockerd({ folder: join(folder, 'engine'), liveRestore })
  await importBusybox(engine.socketPath).catch(async (error) => {
    await engine.stop()
    throw error
  })
  const options: DockerDriverOptions = {
    socketPath: engine.socketPath,
    dataRoot: join(folder, 'data'),
    networkPrefix: engine.networkPrefix,
    subnetPool: engine.subnetPool,
    labelScope: 'test',
    ...over,
  }
  const drivers = [dockerDriver(options)]
  return {
    driver: drivers[0]!,
    engine,
    options,
    again() {
      const next = dockerDriver(options)
      drivers.push(next)
      return next
    },
    spec: (program) => busyboxSpec(script(program)),
    withInstaller: (spec, program) => ({
      ...spec,
      install: {
        image: { kind: 'registry', reference: BUSYBOX },
        interpreter: ['sh'],
        script: script(program).replaceAll('/data/', '/mnt/server/'),
        environment: {},
        timeoutSeconds: 120,
      },
    }),
    can: DOCKER_CAN,
    async close() {
      for (const driver of drivers) driver.close()
      await engine.stop()
      await runProgram('nft', ['delete', 'table', 'inet', firewallTable(options.dataRoot)])
      await unmountBelow(folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A small server that runs this script with busybox. */
export function busyboxSpec(text: string): ContainerSpec {
  return ContainerSpec.parse({
    image: { kind: 'registry', reference: BUSYBOX },
    command: ['sh', '-c', text],
    environment: {},
    dataPath: '/data',
    ports: [],
    limits: { memoryMb: 64, cpuPercent: 100, diskMb: 64, pids: 64 },
    proofOfLife: {},
    stop: [],
  })
}

const LIVE = 'while :; do sleep 1000 & wait $!; done'

function script(program: Program): string {
  switch (program.kind) {
    case 'run':
      return 'echo ready; exec sleep 1000'
    case 'echo':
      return 'echo ready; exec cat'
    case 'exit':
      return `echo bye; exit ${program.code}`
    case 'print':
      return `i=0; while [ $i -lt ${program.lines} ]; do i=$((i+1)); echo "line $i"; done; exec sleep 1000`
    case 'environment':
      return `printf '%s\\n' "$${program.variable}"; echo ready; exec sleep 1000`
    case 'deaf':
      return `trap '' TERM INT; echo ready; ${LIVE}`
    case 'grow':
      return 'x=0123456789abcdef; while :; do x=$x$x; done'
    case 'store':
      return `head -c ${program.bytes} /dev/zero > /data/kept; echo ready; exec sleep 1000`
  }
}
