import { emailAddress, personName, type ShownLink } from '@lodge/shared/accounts.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { z } from 'zod'
import { api } from '../../api.ts'
import { showLink } from '../../session/shown-link.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
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
  const form = useForm<Values, Administrator & { link?: ShownLink | undefined }>({
    initial: {
      email: '',
      name: '',
      permissions: new Set(person ? person.permissions : least),
    },
    ...(person ? {} : { schema: Invitation }),
    toBody: ({ email, name }) => ({ email, ...(name.trim() === '' ? {} : { name }) }),
    submit: ({ email, name, permissions }) => {
      const chosen = [...permissions] as AdminPermission[]
      return person
        ? api('PUT /api/team/{id}/permissions', {
            params: { id: person.id },
            body: { permissions: chosen },
          })
        : api('POST /api/team', {
            body: {
              email: email.trim(),
              ...(name.trim() === '' ? {} : { name: name.trim() }),
              permissions: chosen,
            },
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
