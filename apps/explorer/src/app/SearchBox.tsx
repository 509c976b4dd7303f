import { useQuery } from '@portolan/client/react'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { SuggestDocument } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { addressFault } from '../values/addressFault.ts'
import { shortened } from '../values/format.ts'
import { links } from './links.ts'
import { navigate } from './router.ts'
import { assetsFor, byForm, chainsFor, collectionsFor, keepRecent, recent, type Suggestion } from './suggestions.ts'

interface SearchBoxProps {
  readonly chains: readonly { readonly chainId: string; readonly prettyName: string }[]
  /** Whether somebody knows assets. */
  readonly hasAssets: boolean
}

/** Milliseconds without a key before assets and collections are asked for. */
const quietMs = 200

/** The search field of all pages, as a combobox: what is suggested is chosen by the arrow keys or a press. */
export function SearchBox(props: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [value, setValue] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  useFocusKey(input)
  // Some write a height as #1041.
  const typed = value.trim()
  const suggestions = useSuggestions(typed, isOpen, props)
  const isShown = isOpen && suggestions.length > 0
  const chosen = isShown ? suggestions[at] : undefined
  const close = () => {
    setOpen(false)
    setAt(-1)
  }
  const choose = (suggestion: Suggestion) => {
    close()
    setValue('')
    keepRecent(suggestion)
    navigate(suggestion.href)
  }
  const submit = () => {
    if (chosen) return choose(chosen)
    const query = typed.replace(/^#(?=\d)/, '')
    if (!query) return
    close()
    keepRecent({ label: shortened(query), href: links.search(query) })
    navigate(links.search(query))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Escape' && isShown) {
      // The first press keeps the text.
      event.preventDefault()
      close()
    }
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return
    event.preventDefault()
    setOpen(true)
    // One step before the first line and after the last one is the field itself.
    const places = suggestions.length + 1
    if (places > 1) setAt(((at + 1 + (key === 'ArrowDown' ? 1 : -1) + places) % places) - 1)
  }
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <input
          ref={input}
          type="search"
          name="q"
          // biome-ignore lint/a11y/noRedundantRoles: a search field is a combobox only with a list of the browser
          role="combobox"
          list={undefined}
          aria-label={text.searchLabel}
          aria-expanded={isShown}
          aria-controls={isShown ? `${id}list` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={chosen ? `${id}${at}` : undefined}
          placeholder={text.searchHint}
          autocomplete="off"
          spellcheck={false}
          maxLength={512}
          value={value}
          onInput={(event) => {
            setValue(event.currentTarget.value)
            setOpen(true)
            setAt(-1)
          }}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </form>
      {isShown && (
        <div class="suggestions" role="listbox" id={`${id}list`} aria-label={text.suggestions}>
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys, as a combobox does
            <div
              key={`${suggestion.kind}${suggestion.href}`}
              id={`${id}${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => index === at || setAt(index)}
              onClick={() => choose(suggestion)}
            >
              <span class="tag">{text.suggestionKinds[suggestion.kind]}</span>{' '}
              <bdi class="label">{suggestion.label}</bdi>{' '}
              {suggestion.detail && <bdi class="detail">{suggestion.detail}</bdi>}
            </div>
          ))}
        </div>
      )}
      <p class="unseen" role="status">
        {isShown && text.suggested(suggestions.length)}
      </p>
    </search>
  )
}

/** What a text can mean, or what was chosen last while there is none. */
function useSuggestions(typed: string, isOpen: boolean, { chains, hasAssets }: SearchBoxProps): readonly Suggestion[] {
  const [quiet, setQuiet] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(typed), quietMs)
    return () => clearTimeout(timer)
  }, [typed])
  const forms = byForm(typed, chains)
  const isAsked = isOpen && quiet === typed && /^\D.{0,39}$/.test(typed) && !addressFault(typed)
  // Each collection is searched for on all chains, and one letter is in most names.
  const variables = { text: typed, hasAssets, hasCollections: typed.length > 2 }
  const { data } = useQuery(SuggestDocument, variables, { skip: !isAsked || forms.length > 0 })
  const found = data?.search?.results ?? []
  if (!isOpen) return []
  if (typed === '') return recent()
  return [
    ...forms,
    ...(forms.length > 0 ? [] : chainsFor(typed, chains)),
    ...assetsFor(typed, data?.assets?.nodes.flatMap((asset) => asset ?? []) ?? []),
    ...collectionsFor(
      found.flatMap(({ node, chain }) => (node.__typename === 'NftCollection' && chain ? [{ ...node, chain }] : [])),
    ),
  ]
}

/** Moves the focus to the field when "/" is pressed outside of a field. */
function useFocusKey(input: { readonly current: HTMLInputElement | null }) {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
}
