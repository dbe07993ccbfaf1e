import { TemplateDocument } from '@lodge/shared/templates/document.ts'

/** Image that the rows with a Docker engine import under this name. */
export const BENCH_IMAGE = 'lodge-test/busybox:1'

/** The smallest possible template: one port, no installation, ready at once. */
export const BENCH_TEMPLATE = TemplateDocument.parse({
  format: 'lodge/v1',
  name: 'Bench',
  kind: 'container',
  runtime: {
    images: [{ name: 'busybox', source: { kind: 'registry', reference: BENCH_IMAGE } }],
    startup: { kind: 'argv', command: ['/bin/sleep', '100000'] },
    dataPath: '/data',
    proofOfLife: { stayUpSeconds: 0 },
    stop: [{ kind: 'signal', signal: 'SIGKILL', timeoutSeconds: 0 }],
    port: { protocol: 'tcp', containerPort: 25565 },
    limits: { memoryMb: 64, cpuPercent: 10, diskMb: 64 },
  },
})
