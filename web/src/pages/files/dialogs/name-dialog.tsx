import type { Entry } from '@lodge/shared/files.ts'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, api } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { writeContent } from '../content.ts'
import { folderOf, isName, joined, nameOf, resolved } from '../file-names.ts'
import { CHANGES } from '../use-listing.ts'
import { nameThat } from './checked.ts'
import { t } from './words.ts'

interface NameFormProps {
  serverId: string
  folder: string
  onClose: () => void
}

const areNames = (path: string): boolean =>
  path !== '' && path.split('/').every((part) => part === '' || part === '..' || isName(part))
const named = nameThat(areNames)

/** Shows the API's error about a taken name at the field. */
const orTaken = (path: string) => (error: unknown) => {
  if (!(error instanceof ApiError) || error.problem.code !== 'file_exists') throw error
  const detail = t.taken({ name: nameOf(path) })
  throw new ApiError({ ...error.problem, detail, errors: [{ pointer: '/name', detail }] })
}

export function NewFolderForm({ serverId, folder, onClose }: NameFormProps) {
  const form = useForm({
    initial: { name: '' },
    schema: named,
    refreshes: CHANGES,
    submit: ({ name }) =>
      api('POST /api/servers/{id}/files/mkdir', {
        params: { id: serverId },
        body: { path: resolved(folder, name) },
      }),
    done: onClose,
  })
  return (
    <Form form={form} submitText={t.makeFolder} command>
      <TextField label={t.name} description={t.nameHelp} {...form.field('name')} autoFocus />
    </Form>
  )
}

export function NewFileForm({ serverId, folder, onClose }: NameFormProps) {
  const navigate = useNavigate()
  const form = useForm({
    initial: { name: '' },
    schema: nameThat(isName),
    refreshes: CHANGES,
    submit: ({ name }) => {
      const path = joined(folder, name)
      return writeContent(serverId, path, new Uint8Array(), null).catch(orTaken(path))
    },
    done: (_, { name }) => {
      onClose()
      void navigate({
        to: paths.editFile,
        params: { id: serverId },
        search: { path: joined(folder, name) },
      })
    },
  })
  return (
    <Form form={form} submitText={t.makeFile}>
      <TextField label={t.name} {...form.field('name')} autoFocus />
    </Form>
  )
}

interface RenameFormProps extends Omit<NameFormProps, 'folder'> {
  entry: Entry
}

export function RenameForm({ serverId, entry, onClose }: RenameFormProps) {
  const form = useForm({
    initial: { name: entry.name },
    schema: nameThat(isName),
    refreshes: CHANGES,
    submit: async ({ name }) => {
      const to = joined(folderOf(entry.path), name)
      if (to === entry.path) return
      await api('POST /api/servers/{id}/files/rename', {
        params: { id: serverId },
        body: { moves: [{ from: entry.path, to }] },
      }).catch(orTaken(to))
    },
    done: onClose,
  })
  return (
    <Form form={form} submitText={t.rename} command>
      <TextField label={t.name} {...form.field('name')} autoFocus />
    </Form>
  )
}
