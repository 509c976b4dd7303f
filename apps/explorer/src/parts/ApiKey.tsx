import { useState } from 'preact/hooks'
import { hasKey, keepKey } from '../app/apiKey.ts'
import { text } from '../text.ts'

/** The field for the key that a gateway asks for. */
export function ApiKey() {
  const [key, setKey] = useState('')
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault()
        if (key !== '') keepKey(key)
      }}
    >
      <input
        type="password"
        aria-label={text.apiKey.title}
        placeholder={text.apiKey.title}
        autocomplete="off"
        value={key}
        onInput={(event) => setKey(event.currentTarget.value.trim())}
      />
      <button type="submit" disabled={key === ''}>
        {text.apiKey.save}
      </button>
      {hasKey() && (
        <>
          <span>{text.apiKey.kept}</span>
          <button type="button" onClick={() => keepKey(undefined)}>
            {text.apiKey.forget}
          </button>
        </>
      )}
      <small>{text.apiKey.hint}</small>
    </form>
  )
}
