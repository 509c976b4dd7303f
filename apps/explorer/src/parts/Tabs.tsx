import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

/** Tabs over the part of a page that they choose. Arrow keys, Home and End move between them, as screen readers expect. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChoice,
  children,
}: {
  label: string
  tabs: readonly (readonly [name: Name, label: string])[]
  chosen: Name
  onChoice: (name: Name) => void
  children: ComponentChildren
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const choose = (at: number) => {
    const tab = tabs.at(at % tabs.length)
    if (!tab) return
    onChoice(tab[0])
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(id + tab[0])}`)?.focus()
  }
  const at = tabs.findIndex(([name]) => name === chosen)
  const move = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    choose(to)
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(([name, shown]) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={id + name}
            aria-selected={name === chosen}
            aria-controls={`${id}panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoice(name)}
          >
            {shown}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={id + chosen}>
        {children}
      </div>
    </>
  )
}
