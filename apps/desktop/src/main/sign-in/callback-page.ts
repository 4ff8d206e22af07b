import { LANGUAGES, type Language } from '../../shared/app-state.ts';

const words: Readonly<Record<Language, { readonly succeeded: string; readonly failed: string }>> = {
  en: {
    succeeded: 'You can close this window and go back to Caregate.',
    failed: 'The sign-in failed. Go back to Caregate, which says why.',
  },
  es: {
    succeeded: 'Puede cerrar esta ventana y volver a Caregate.',
    failed: 'El inicio de sesión falló. Vuelva a Caregate, que dice por qué.',
  },
  ar: {
    succeeded: 'يمكنك إغلاق هذه النافذة والعودة إلى Caregate.',
    failed: 'فشل تسجيل الدخول. ارجع إلى Caregate لمعرفة السبب.',
  },
};

/** The page loads nothing and reveals nothing about the sign-in. */
export function renderCallbackPage(language: Language, succeeded: boolean): string {
  const text = succeeded ? words[language].succeeded : words[language].failed;
  return `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<meta name="viewport" content="width=device-width"><title>Caregate</title>
<style>body { font: 1.2rem system-ui; margin: 20vh auto; max-width: 30rem; text-align: center }</style>
<p>${text}</p></html>`;
}

export function choosePageLanguage(setting: Language | 'system', locale: string): Language {
  if (setting !== 'system') return setting;
  return LANGUAGES.find((language) => locale.toLowerCase().startsWith(language)) ?? 'en';
}
