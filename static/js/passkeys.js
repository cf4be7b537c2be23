// Passkeys: <form data-passkey="get|create" data-options='{…}'> or data-from="address of the options", with a hidden
// field "credential". Forms stay hidden where the browser knows no passkeys: on plain http, and in old ones.
"use strict";
(() => {
  const known = window.isSecureContext && window.PublicKeyCredential && navigator.credentials;
  for (const part of document.querySelectorAll("[data-passkey], [data-passkey-only]")) part.hidden = !known;
  for (const part of document.querySelectorAll("[data-no-passkey]")) part.hidden = Boolean(known);
  if (!known) return;

  // Servers speak JSON, authenticators bytes; between them stands base64url.
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const named = (list) => list?.map((key) => ({ ...key, id: bytes(key.id) }));

  const create = async ({ publicKey: asked }) => {
    const made = await navigator.credentials.create({ publicKey: {
      ...asked, challenge: bytes(asked.challenge), user: { ...asked.user, id: bytes(asked.user.id) }, excludeCredentials: named(asked.excludeCredentials),
    } });
    return answer(made, { attestationObject: text(made.response.attestationObject), transports: made.response.getTransports?.() ?? [] });
  };
  const get = async ({ publicKey: asked }) => {
    const found = await navigator.credentials.get({ publicKey: { ...asked, challenge: bytes(asked.challenge), allowCredentials: named(asked.allowCredentials) } });
    const { authenticatorData, signature, userHandle } = found.response;
    return answer(found, { authenticatorData: text(authenticatorData), signature: text(signature), userHandle: userHandle && text(userHandle) });
  };
  const answer = (key, response) => ({
    type: key.type, id: key.id, rawId: text(key.rawId), clientExtensionResults: key.getClientExtensionResults(),
    response: { ...response, clientDataJSON: text(key.response.clientDataJSON) },
  });

  for (const form of document.querySelectorAll("form[data-passkey]")) form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const failed = form.querySelector("[data-failed]");
    failed.hidden = true;
    try {
      const options = form.dataset.options
        ? JSON.parse(form.dataset.options)
        : (await (await fetch(form.dataset.from, { headers: { Accept: "application/json" } })).json()).request_options;
      form.elements.credential.value = JSON.stringify(await (form.dataset.passkey === "create" ? create : get)(options));
    } catch { // dismissed, timed out, or known already: browsers do not say which
      failed.hidden = false;
      return;
    }
    form.submit();
  });
})();
