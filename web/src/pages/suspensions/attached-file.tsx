import type { Attachment } from '@lodge/shared/attachments.ts'
import type { ReactNode } from 'react'
import { Pill } from '../../ui/data/status.tsx'
import { t } from './words.ts'

interface AttachedFileProps {
  file: Attachment
  /** The address of the files beside it. */
  folder: string
  icon?: ReactNode
}

/** A file of a message: a link to it, or why there is none. */
export function AttachedFile({ file, folder, icon }: AttachedFileProps) {
  const { id, name, scan, scanWhy } = file
  if (scan === 'waiting' || scan === 'infected')
    return (
      <>
        <span>{name}</span>
        {scan === 'waiting' ? (
          <Pill tone="pend" title={t.scanningHelp}>
            {t.scanning}
          </Pill>
        ) : (
          <>
            <Pill tone="err">{t.infected}</Pill>
            <small>{scanWhy}</small>
          </>
        )}
      </>
    )
  return (
    <>
      <a href={`${folder}/${id}`} download={name}>
        {icon}
        {name}
      </a>
      {scan === 'unscanned' ? <Pill tone="warn">{t.unscanned}</Pill> : null}
    </>
  )
}
