import { endpoint } from '../http/yoga.ts'

/**
 * A script for the page, to run before GraphiQL. GraphiQL shows the error of the browser with the whole request if the
 * gateway cannot be reached. The script answers such a request with one sentence.
 */
export const tellLostNetwork = `
        (function (send) {
          const sendOrTell = (input, init) =>
            send(input, init).catch((error) => {
              const { pathname } = new URL(input.url ?? input, location.href);
              if (error.name === 'AbortError' || pathname !== '${endpoint}') throw error;
              const errors = [{ message: 'The gateway cannot be reached. Try again in a moment.' }];
              return new Response(JSON.stringify({ errors }), { headers: { 'content-type': 'application/json' } });
            });
          window.fetch = sendOrTell;
        })(window.fetch);`
