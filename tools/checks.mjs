import { at } from './place.mjs'

/** Each check is a program for Node 24 that exits with a nonzero code on failure. */
export const checks = {
  types: [
    ...[at('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'],
    // Each of several checkers would work out the same types of libraries: 40 s of CPU instead of 16.
    '--singleThreaded',
    // Incremental: the next run checks only what has changed.
    ...['--incremental', '--tsBuildInfoFile', at('node_modules/.cache/types.tsbuildinfo')],
  ],
  style: [at('node_modules/@biomejs/biome/bin/biome'), 'check'],
  unused: [at('node_modules/knip/bin/knip.js'), '--no-progress'],
  proto: [at('node_modules/@bufbuild/buf/bin/buf'), 'lint', 'proto'],
  generated: [at('tools/gen.mjs'), '--check'],
}
