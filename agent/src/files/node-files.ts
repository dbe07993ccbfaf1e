import type { Files } from '@lodge/driver/capabilities/files.ts'
import { Bins, type BinsOptions } from './bins.ts'
import { Helpers } from './helpers.ts'

interface NodeFilesOptions extends Omit<BinsOptions, 'connect'> {
  readonly drivers: readonly { readonly files?: Files }[]
}

/** The files of this node's servers, and what is done about them without being asked. */
export function nodeFiles({ drivers, ...options }: NodeFilesOptions) {
  const { filesOf, log } = options
  const helpers: Helpers = new Helpers({
    ...{ filesOf, log },
    onBin: (serverId, state) => bins.changed(serverId, state),
  })
  const bins = new Bins({ ...options, connect: (serverId) => helpers.connect(serverId) })
  for (const { files } of drivers) files?.onRelease((serverId) => helpers.end(serverId))
  return {
    helpers,
    bins,
    async close() {
      bins.stop()
      await helpers.close()
    },
  }
}
