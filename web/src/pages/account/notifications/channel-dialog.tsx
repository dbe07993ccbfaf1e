import {
  type ChannelKind,
  isStyled,
  type NotificationChannel,
} from '@lodge/shared/notification-channels.ts'
import { useQuery } from '@tanstack/react-query'
import { q, qAll } from '../../../query.ts'
import { ManyField } from '../../../ui/choices/many-field.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { FormSection } from '../../../ui/form/section.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Grid, Text } from '../../../ui/page/layout.tsx'
import { type ChannelValues, NEW_STYLE, saveChannel, valuesOf } from './channel-values.ts'
import { kindChoices, type TypedPart, typedParts, wordsOfKind } from './kinds.ts'
import { BUILT_IN, styleChoices, styleOf } from './styles.ts'
import { t } from './words.ts'

interface ChannelDialogProps {
  /** The channel to edit; a new one without it. */
  channel?: NotificationChannel
  onClose: () => void
  onSecret: (secret: string) => void
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** Adds or edits a channel. */
export function ChannelDialog({ channel, onClose, onSecret }: ChannelDialogProps) {
  const servers = useQuery(qAll('GET /api/servers'))
  const events = useQuery(q('GET /api/notification-events'))
  const form = useForm<ChannelValues, NotificationChannel & { secret?: string | null }>({
    initial: valuesOf(channel),
    submit: (values) => saveChannel(channel, values, events.data?.items ?? []),
    nameOf: (pointer) => pointer.split('/')[0] ?? pointer,
    refreshes: ['GET /api/notification-channels'],
    done: (saved) => {
      if (saved.secret) onSecret(saved.secret)
      if (channel) toastDone(t.saved)
      else toastDone(t.added, saved.state === 'unverified' ? t.addedUnverified : undefined)
      onClose()
    },
  })
  const { kind, name, digest } = form.values
  const missing = name.trim() === '' ? t.nameMissing : undefined
  return (
    <Dialog
      wide
      opened
      title={channel ? t.editTitle({ name: channel.name }) : t.addTitle}
      onClose={onClose}
    >
      <Form
        form={form}
        command
        long
        submitText={channel ? t.save : t.addChannel}
        disabledBecause={missing}
      >
        {channel ? null : (
          <SelectField
            label={t.kind}
            value={kind}
            choices={kindChoices()}
            onChange={(next) => {
              form.set('kind', next as ChannelKind)
              form.set('style', NEW_STYLE)
            }}
          />
        )}
        <Text muted>{wordsOfKind(kind).help}</Text>
        <TextField
          label={t.name}
          description={t.nameHelp}
          autoComplete="off"
          {...form.field('name')}
        />
        <TargetFields kind={kind} channel={channel} field={form.field} />
        {isStyled(kind) ? <StyleField kind={kind} {...form.field('style')} /> : null}
        {channel ? null : (
          <SelectField
            label={t.eventsAtFirst}
            description={t.eventsAtFirstHelp}
            choices={[
              { value: 'problems', label: t.problems },
              { value: 'all', label: t.everything },
              { value: 'none', label: t.nothing },
            ]}
            {...form.field('events')}
          />
        )}
        <ManyField
          label={t.servers}
          description={t.serversHelp}
          placeholder={t.allServers}
          choices={(servers.data?.items ?? []).map(({ id, name: label }) => ({ value: id, label }))}
          {...form.field('serverIds')}
        />
        <FormSection title={t.timing} description={t.timingHelp}>
          <Grid>
            <SelectField
              label={t.digest}
              choices={[
                { value: 'off', label: t.atOnce },
                { value: 'day', label: t.daily },
                { value: 'week', label: t.weekly },
              ]}
              {...form.field('digest')}
            />
            {digest === 'off' ? null : (
              <SelectField label={t.hour} choices={HOURS} {...form.field('hour')} />
            )}
          </Grid>
          {digest === 'off' ? (
            <Grid>
              <TextField
                label={t.quietFrom}
                description={t.quietHelp}
                type="time"
                width="name"
                {...form.field('quietFrom', 'quiet')}
              />
              <TextField label={t.quietTo} type="time" width="name" {...form.field('quietTo')} />
            </Grid>
          ) : null}
          <SwitchField label={t.errorsAtOnce} {...form.field('errorsAtOnce')} />
        </FormSection>
      </Form>
    </Dialog>
  )
}

interface TargetFieldsProps {
  kind: ChannelKind
  channel: NotificationChannel | undefined
  field: (name: TypedPart) => {
    value: string
    error: string | undefined
    onChange: (value: string) => void
  }
}

/** Where the messages go, with the fields of the kind. */
function TargetFields({ kind, channel, field }: TargetFieldsProps) {
  const words = wordsOfKind(kind)
  return typedParts(kind).map((part) => {
    const kept =
      part === 'url' && channel?.url
        ? t.keepAddress({ url: channel.url })
        : part === 'token' && channel?.hasToken
          ? t.keepToken
          : undefined
    const example = part === 'token' ? undefined : words.examples[part]
    return (
      <TextField
        key={part}
        label={words[part] ?? part}
        autoComplete="off"
        mono={part !== 'to' || kind !== 'email'}
        type={kind === 'email' ? 'email' : 'text'}
        width="sentence"
        {...(example === undefined ? {} : { placeholder: example })}
        {...(kept === undefined ? {} : { description: kept })}
        {...field(part)}
      />
    )
  })
}

interface StyleFieldProps {
  kind: ChannelKind
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** The style of messages, if there is a choice. */
function StyleField({ kind, value, ...field }: StyleFieldProps) {
  const styles = useQuery(q('GET /api/notification-styles'))
  if (!styles.data) return null
  const chosen = styleOf(kind, value)
  const choices = styleChoices(kind, chosen, styles.data.items)
  if (choices.length < 2) return null
  return <SelectField label={t.style} choices={choices} value={chosen ?? BUILT_IN} {...field} />
}
