import { RegisterVmMedium } from '@lodge/shared/vms.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { KnownImagesForm } from './known-images-form.tsx'
import type { MediumKind } from './medium-kinds.ts'
import { t } from './words.ts'

type Image = Reply<'GET /api/virtualization/images'>['images'][number]

interface KnownImageFormProps {
  kinds: readonly MediumKind[]
  onDone: (mediumId: string) => void
}

/** Adds a medium from the list of well-known images, verified by the publisher's checksums. */
export function KnownImageForm({ kinds, onDone }: KnownImageFormProps) {
  const [editing, setEditing] = useState(false)
  const list = useQuery(q('GET /api/virtualization/images'))
  return (
    <Loaded query={list} lines={5}>
      {(found) =>
        editing ? (
          <KnownImagesForm list={found} onDone={() => setEditing(false)} />
        ) : (
          <Choose
            images={found.images.filter(({ kind }) => kinds.includes(kind))}
            onDone={onDone}
            onEdit={() => setEditing(true)}
          />
        )
      }
    </Loaded>
  )
}

interface ChooseProps {
  images: readonly Image[]
  onDone: (mediumId: string) => void
  onEdit: () => void
}

function Choose({ images, onDone, onEdit }: ChooseProps) {
  const form = useForm<{ image: string; name: string }, Reply<'POST /api/virtualization/media'>>({
    initial: { image: images[0]?.name ?? '', name: images[0]?.name ?? '' },
    submit: ({ image, name }) => {
      const { kind, url, checksumUrl } = images.find((one) => one.name === image) ?? {}
      return api('POST /api/virtualization/media', {
        body: RegisterVmMedium.parse({ name, kind, url, checksumUrl }),
      })
    },
    refreshes: ['GET /api/virtualization/catalogue', 'GET /api/jobs'],
    done: ({ medium }) => onDone(medium.id),
  })
  const chosen = images.find(({ name }) => name === form.values.image)
  return (
    <Form
      form={form}
      command
      submitText={t.addImage}
      disabledBecause={chosen ? undefined : t.imageMissing}
      beside={<Button onClick={onEdit}>{t.editList}</Button>}
    >
      <SelectField
        label={t.image}
        searchable
        choices={images.map(({ name }) => ({ value: name, label: name }))}
        nothingFound={t.notListed}
        {...form.field('image')}
        onChange={(image) => form.setValues({ image, name: image })}
      />
      <TextField label={t.catalogueName} {...form.field('name')} />
      {chosen ? (
        <Text small muted>
          {chosen.notes === ''
            ? t.downloads({ host: new URL(chosen.url).host })
            : t.downloadsNotes({ notes: chosen.notes, host: new URL(chosen.url).host })}
        </Text>
      ) : null}
    </Form>
  )
}
