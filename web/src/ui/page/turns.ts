import { useEffect, useState } from 'react'

/** Until everything that waited for its turn when the panel was opened is drawn. */
let isStarting = true
let waiting = 0

/**
 * Whether a costly part may be drawn. While the panel starts, each such part gets a task of its own,
 * so that the browser can paint and answer in between; later all are drawn at once.
 */
export function useTurn(): boolean {
  const [hasTurn, setTurn] = useState(!isStarting)
  useEffect(() => {
    if (hasTurn) {
      // Effects of children run first: what waits inside this part is counted by now.
      if (waiting === 0) isStarting = false
      return
    }
    waiting += 1
    const timer = setTimeout(() => setTurn(true))
    return () => {
      clearTimeout(timer)
      waiting -= 1
    }
  }, [hasTurn])
  return hasTurn
}
