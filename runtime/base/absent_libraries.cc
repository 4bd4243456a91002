// Debian's archives of libcurl and libgit2 refer to libraries of which Debian has no archives, or whose own
// archives refer to such: GSSAPI, LDAP and RTMP. The server needs none of them: it speaks HTTP alone, without
// Negotiate. These functions take the libraries' places. Those of GSSAPI return GSS_S_FAILURE; no call
// reaches the others.

#define ABSENT(name) \
  extern "C" long name() { return 13L << 16; }

extern "C" {
void* GSS_C_NT_HOSTBASED_SERVICE = nullptr;
}
ABSENT(gss_delete_sec_context)
ABSENT(gss_display_name)
ABSENT(gss_display_status)
ABSENT(gss_import_name)
ABSENT(gss_indicate_mechs)
ABSENT(gss_init_sec_context)
ABSENT(gss_inquire_context)
ABSENT(gss_release_buffer)
ABSENT(gss_release_name)
ABSENT(gss_release_oid_set)
ABSENT(gss_unwrap)
ABSENT(gss_wrap)

ABSENT(RTMP_Alloc)
ABSENT(RTMP_Close)
ABSENT(RTMP_Connect1)
ABSENT(RTMP_ConnectStream)
ABSENT(RTMP_Free)
ABSENT(RTMP_Init)
ABSENT(RTMP_Read)
ABSENT(RTMP_SetBufferMS)
ABSENT(RTMP_SetupURL)
ABSENT(RTMP_Write)

ABSENT(ber_bvfree)
ABSENT(ber_free)
ABSENT(ber_memfree)
ABSENT(ber_memvfree)
ABSENT(ber_sockbuf_add_io)
ABSENT(ldap_abandon_ext)
ABSENT(ldap_err2string)
ABSENT(ldap_free_urldesc)
ABSENT(ldap_get_attribute_ber)
ABSENT(ldap_get_dn_ber)
ABSENT(ldap_get_option)
ABSENT(ldap_init_fd)
ABSENT(ldap_memfree)
ABSENT(ldap_msgfree)
ABSENT(ldap_msgtype)
ABSENT(ldap_parse_result)
ABSENT(ldap_parse_sasl_bind_result)
ABSENT(ldap_pvt_url_scheme2proto)
ABSENT(ldap_result)
ABSENT(ldap_sasl_bind)
ABSENT(ldap_search_ext)
ABSENT(ldap_set_option)
ABSENT(ldap_start_tls)
ABSENT(ldap_unbind_ext)
ABSENT(ldap_url_parse)
