// The parts of Debian's archives of libcurl, libgit2 and PCRE2 that no program of this project uses. These
// definitions take their places, so that the programs have neither those parts nor the libraries that they
// need, of some of which Debian has no archive: GSSAPI, LDAP, RTMP, libssh2, nghttp2, libpsl, Brotli and the
// connections of mbed TLS. libcurl speaks HTTP/1.1 alone, without Negotiate, cookies and compression; libgit2
// reads and writes local repositories alone; PCRE2 compiles no pattern to machine code.
//
// The linker prefers them because meson.build makes this name undefined before it reads the archives.
extern "C" {
extern const int snapgen_absent_libraries;
const int snapgen_absent_libraries = 1;
}

// A function that succeeds and does nothing, or is not called.
#define EMPTY(name) \
  extern "C" long name() { return 0; }
// A function that fails. libcurl expects an error above 0: 1 is CURLE_UNSUPPORTED_PROTOCOL. libgit2 expects
// one below 0.
#define FAILING(name, error) \
  extern "C" long name() { return error; }
// A protocol of libcurl. It compares the first member, the scheme, with that of a URL, and reads no other if
// they differ.
#define PROTOCOL(name)                                          \
  extern "C" {                                                  \
  extern const absent::Protocol Curl_handler_##name;            \
  const absent::Protocol Curl_handler_##name = {"", {nullptr}}; \
  }

namespace absent {
struct Protocol {
  const char* scheme;
  const void* others[31];
};
}  // namespace absent

PROTOCOL(dict)
PROTOCOL(file)
PROTOCOL(ftp)
PROTOCOL(ftps)
PROTOCOL(gopher)
PROTOCOL(gophers)
PROTOCOL(imap)
PROTOCOL(imaps)
PROTOCOL(ldap)
PROTOCOL(ldaps)
PROTOCOL(mqtt)
PROTOCOL(pop3)
PROTOCOL(pop3s)
PROTOCOL(rtmp)
PROTOCOL(rtmpe)
PROTOCOL(rtmps)
PROTOCOL(rtmpt)
PROTOCOL(rtmpte)
PROTOCOL(rtmpts)
PROTOCOL(rtsp)
PROTOCOL(scp)
PROTOCOL(sftp)
PROTOCOL(smb)
PROTOCOL(smbs)
PROTOCOL(smtp)
PROTOCOL(smtps)
PROTOCOL(telnet)
PROTOCOL(tftp)
EMPTY(Curl_pop3_write)
EMPTY(Curl_rtsp_parseheader)
EMPTY(Curl_smtp_escape_eob)
EMPTY(Curl_ssh_cleanup)
EMPTY(Curl_ssh_init)
extern "C" void Curl_ssh_version(char* text, unsigned long /*size*/) { *text = '\0'; }

EMPTY(BrotliDecoderCreateInstance)
EMPTY(BrotliDecoderDecompressStream)
EMPTY(BrotliDecoderDestroyInstance)
EMPTY(BrotliDecoderGetErrorCode)
EMPTY(Curl_conn_is_http2)
EMPTY(Curl_h2_http_1_1_error)
EMPTY(Curl_http2_may_switch)
EMPTY(Curl_psl_destroy)
EMPTY(Curl_psl_release)
EMPTY(Curl_psl_use)
EMPTY(psl_is_cookie_domain_acceptable)
FAILING(Curl_http2_request_upgrade, 1)
FAILING(Curl_http2_switch, 1)
FAILING(Curl_http2_switch_at, 1)
FAILING(Curl_http2_upgrade, 1)

EMPTY(Curl_auth_is_spnego_supported)
EMPTY(Curl_http_auth_cleanup_negotiate)
FAILING(Curl_SOCKS5_gssapi_negotiate, 1)
FAILING(Curl_input_negotiate, 1)
FAILING(Curl_output_negotiate, 1)

EMPTY(git_mbedtls_stream_global_init)
EMPTY(git_transport_ssh_global_init)
FAILING(git_mbedtls__set_cert_location, -1)
FAILING(git_transport_new, -1)
extern "C" {
bool git_http__expect_continue = false;
bool git_smart__ofs_delta_enabled = true;
}

EMPTY(_pcre2_jit_check_exec_8)
EMPTY(_pcre2_jit_free_8)
EMPTY(_pcre2_jit_free_rodata_8)
EMPTY(_pcre2_jit_get_size_8)
EMPTY(_pcre2_jit_get_target_8)
EMPTY(pcre2_jit_match_8)
