import type { Entry } from '@lodge/shared/files.ts'
import { z } from 'zod'
import { api } from '../../../api.ts'
import { Tick } from '../../../ui/choices/tick.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { isFolder } from '../file-kind.ts'
import { folderOf, isWithin, joined, numbered, resolved } from '../file-names.ts'
import { CHANGES } from '../use-listing.ts'
import { FolderChoice } from './folder-choice.tsx'
import { t } from './words.ts'

interface PlaceFormProps {
  what: 'move' | 'copy'
  serverId: string
  entries: readonly Entry[]
  onClose: () => void
}

/** Moves or copies to a folder. A copy beside its original gets a number. */
export function PlaceForm({ what, serverId, entries, onClose }: PlaceFormProps) {
  const folders = entries.filter(isFolder).map(({ path }) => path)
  const home = folderOf(entries[0]?.path ?? '/')
  const schema = z.object({
    folder: z
      .string()
      .refine((typed) => !folders.some((one) => isWithin(resolved('/', typed), one)), {
        error: () => t.intoItself,
      })
      .refine((typed) => what === 'copy' || resolved('/', typed) !== home, {
        error: () => t.sameFolder,
      }),
  })
  const form = useForm({
    initial: { folder: home, replace: false },
    schema,
    refreshes: CHANGES,
    submit: async ({ folder, replace }) => {
      const params = { id: serverId }
      const pairs = entries.map(({ path, name }) => {
        const to = joined(resolved('/', folder), name)
        return { from: path, to: to === path ? numbered(path) : to }
      })
      return what === 'move'
        ? api('POST /api/servers/{id}/files/rename', { params, body: { moves: pairs, replace } })
        : api('POST /api/servers/{id}/files/copy', { params, body: { copies: pairs, replace } })
    },
    done: (reply) => {
      if ('jobId' in reply) toastDone(t.copyStarted, t.followAtHead)
      onClose()
    },
  })
  return (
    <Form form={form} submitText={what === 'move' ? t.move : t.copy} command>
      <FolderChoice serverId={serverId} without={folders} {...form.field('folder')} />
      <Tick
        label={t.replaceFiles}
        checked={form.values.replace}
        onChange={(replace) => form.set('replace', replace)}
      />
    </Form>
  )
}
