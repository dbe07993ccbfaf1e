import { emailAddress, personName, type ShownLink } from '@lodge/shared/accounts.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { z } from 'zod'
import { api } from '../../api.ts'
import { showLink } from '../../session/shown-link.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { rebasedList } from '../../ui/form/changes.ts'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Grid } from '../../ui/page/layout.tsx'
import type { Administrator } from './administrator.ts'
import { type Catalogue, PermissionChoice } from './permission-choice.tsx'
import { t } from './words.ts'

interface Values {
  email: string
  name: string
  permissions: ReadonlySet<string>
}

const Invitation = z.object({ email: emailAddress, name: personName.optional() })

interface AdministratorDialogProps {
  catalogue: Catalogue
  /** The administrator to change; absent to invite a new one. */
  person?: Administrator
  onClose: () => void
}

/** Invites an administrator or changes their permissions. */
export function AdministratorDialog({ catalogue, person, onClose }: AdministratorDialogProps) {
  const least = catalogue.presets.find(({ id }) => id === 'read_only')?.permissions ?? []
  const known = person ? person.permissions : least
  const form = useForm<Values, Administrator & { link?: ShownLink | undefined }>({
    initial: { email: '', name: '', permissions: new Set(known) },
    ...(person ? {} : { schema: Invitation }),
    toBody: ({ email, name }) => ({ email, ...(name.trim() === '' ? {} : { name }) }),
    submit: async ({ email, name, permissions: chosen }) => {
      if (!person)
        return api('POST /api/team', {
          body: {
            email: email.trim(),
            ...(name.trim() === '' ? {} : { name: name.trim() }),
            permissions: [...chosen] as AdminPermission[],
          },
        })
      // All of them are sent: what a colleague granted or revoked meanwhile goes with them.
      const { items } = await api('GET /api/team')
      const newest = items.find(({ id }) => id === person.id)?.permissions ?? known
      const permissions = rebasedList(chosen, known, newest) as AdminPermission[]
      return api('PUT /api/team/{id}/permissions', {
        params: { id: person.id },
        body: { permissions },
      })
    },
    refreshes: ['GET /api/team'],
    done: (saved) => {
      const { email } = saved
      if (!showLink(email, saved)) toastDone(person ? t.permissionsSaved : t.invitationSent, email)
      onClose()
    },
  })
  return (
    <Dialog
      wide
      opened
      title={person ? t.permissionsOf({ email: person.email }) : t.inviteTitle}
      onClose={onClose}
    >
      <Form
        form={form}
        command
        long
        submitText={person ? t.savePermissions : t.sendInvitation}
        disabledBecause={!person && form.values.email.trim() === '' ? t.emailMissing : undefined}
      >
        {person ? null : (
          <Grid>
            <TextField label={t.email} type="email" autoComplete="off" {...form.field('email')} />
            <TextField label={t.name} autoComplete="off" {...form.field('name')} />
          </Grid>
        )}
        <PermissionChoice
          catalogue={catalogue}
          chosen={form.values.permissions}
          onChange={(permissions) => form.set('permissions', permissions)}
        />
      </Form>
    </Dialog>
  )
}
