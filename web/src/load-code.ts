import { loadSpoken } from '@lodge/shared/words/bind.ts'

/** A change of network, for example from Wi-Fi to cable, interrupts fetches for a moment. */
const AGAIN_AFTER_MS = [250, 1_000]

/** Loads code of the panel, and tries again before it gives up. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    await refetchStyles()
    try {
      return await load()
    } catch (error) {
      const waitMs = AGAIN_AFTER_MS[attempt]
      if (waitMs === undefined) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

/** Loads a part of a page together with its texts. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  const part = await loadCode(load)
  await loadSpoken()
  return part
}

/** Style sheets that failed to load: unlike modules, browsers do not fetch them again. */
const lostStyles = new Set<HTMLLinkElement>()

/** Records style sheets that fail to load, so that the next attempt fetches them too. */
export function watchStyles(): void {
  const note = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target)
  }
  addEventListener('error', note, true)
}

async function refetchStyles(): Promise<void> {
  const links = [...lostStyles]
  lostStyles.clear()
  await Promise.all(links.map(refetch))
}

function refetch(lost: HTMLLinkElement): Promise<void> {
  const link = lost.cloneNode() as HTMLLinkElement
  return new Promise((resolve) => {
    link.onload = link.onerror = () => resolve()
    lost.replaceWith(link)
  })
}
